document.getElementById('answer').submit();
